"""The static site: every version's text, every neighbouring diff, every rule's history, search without a server."""

from rulehist.site.build import Built, build_site

__all__ = ["Built", "build_site"]
