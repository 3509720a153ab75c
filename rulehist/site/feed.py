"""What programs read of the site: the Atom feed of releases (RFC 4287) and the sitemap (sitemaps.org)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape, quoteattr

from rulehist.pages import FAN_CONTENT_NOTICE
from rulehist.site.addresses import diff_path
from rulehist.site.plan import Plan


def atom(planned: Plan, base_url: str, openings: Mapping[str, str]) -> str:
    """The feed: one entry a dated version, newest first. Without a base URL, ids are names and links relative.

    ``openings`` are what the reports say first, by their paths.
    """
    changes = {new.name: diff_path(old.name, new.name) for old, new in planned.pairs}
    dated = [each for each in reversed(planned.versions) if each.version.effective]
    updated = f"{dated[0].version.effective}T00:00:00Z" if dated else "1970-01-01T00:00:00Z"
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        "<title>Releases of the Comprehensive Rules of Magic: The Gathering</title>",
        f"<id>{escape(base_url) + '/' if base_url else 'urn:rulehist:releases'}</id>",
        f"<updated>{updated}</updated>",
        "<author><name>rulehist</name></author>",
        f"<rights>{escape(FAN_CONTENT_NOTICE)}</rights>",
        f'<link rel="self" href={quoteattr(_address(base_url, "feed.atom"))}/>',
    ]
    for each in dated:
        path = changes.get(each.name, each.path)
        said = f"Rules in force from {each.version.label}. {openings.get(path, '')}".strip()
        lines += [
            "<entry>",
            f"<title>{escape(each.version.release or each.version.label)}</title>",
            f"<id>{escape(_address(base_url, path) if base_url else f'urn:rulehist:version:{each.name}')}</id>",
            f"<updated>{each.version.effective}T00:00:00Z</updated>",
            f"<link href={quoteattr(_address(base_url, path))}/>",
            f"<summary>{escape(said)}</summary>",
            "</entry>",
        ]
    return "\n".join([*lines, "</feed>"]) + "\n"


def sitemap(paths: Iterable[str], base_url: str) -> str:
    """The sitemap; it needs whole addresses, so it is only made where the base URL is known."""
    listed = "\n".join(f"<url><loc>{escape(_address(base_url, path))}</loc></url>" for path in paths)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{listed}\n</urlset>\n'
    )


def _address(base_url: str, path: str) -> str:
    return f"{base_url}/{path}" if base_url else path
