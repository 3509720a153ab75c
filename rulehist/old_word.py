"""Old Word documents (.doc) as text, through antiword or catdoc, whichever the machine has."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from rulehist.errors import SourceError
from rulehist.thresholds import DOCUMENT_LARGEST, OLD_WORD_SECONDS

_PROGRAMS = (("antiword", "-w", "0", "-m", "UTF-8.txt"), ("catdoc", "-w", "-d", "utf-8"))
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def to_text(data: bytes, name: str) -> str:
    """The paragraphs of an old Word document, one a line.

    Raises ``SourceError`` where neither program is installed, and for a document that neither can read.
    """
    if _ENCRYPTED in data:
        raise SourceError(f"{name}: a Word document locked with a password; save it without one.")
    if len(data) > DOCUMENT_LARGEST:
        raise SourceError(f"{name}: larger than any rules text; get the file from the publisher.")
    programs = [(path, options) for program, *options in _PROGRAMS if (path := shutil.which(program))]
    if not programs:
        raise SourceError(f"{name}: an old Word document; install antiword or catdoc to read it, or save it as text.")
    reason = ""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rules.doc"
        file.write_bytes(data)
        for path, options in programs:
            try:
                done = subprocess.run(  # noqa: S603 - a fixed program, fixed options and a file of ours
                    [path, *options, str(file)], capture_output=True, timeout=OLD_WORD_SECONDS, check=False
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                reason = str(error)
                continue
            text = done.stdout.decode("utf-8", errors="replace")
            if done.returncode == 0 and text.strip():
                return text.replace("\r\n", "\n").replace("\f", "")
            said = done.stderr.decode("utf-8", errors="replace").strip().splitlines()
            reason = said[-1] if said else "no text in it"
    raise SourceError(f"{name}: a damaged Word document ({reason}); get the whole file again.")
