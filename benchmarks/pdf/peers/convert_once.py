"""Converts one document with a LibreOffice that listens at a pipe. uno_child.py starts it, and shares its code."""

import sys

import uno
from com.sun.star.beans import PropertyValue


def connect(pipe):
    """The desktop of the LibreOffice that listens at the pipe."""
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext(
        "com.sun.star.bridge.UnoUrlResolver", local
    )
    context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
    return context.ServiceManager.createInstanceWithContext(
        "com.sun.star.frame.Desktop", context
    )


def convert(desktop, document, pdf, target, hidden):
    """Loads, updates the indexes, exports and closes, as unoserver and Gotenberg do by default."""
    loading = {"ReadOnly": True, **({"Hidden": True} if hidden else {})}
    opened = desktop.loadComponentFromURL(
        uno.systemPathToFileUrl(document), target, 0, properties(loading)
    )
    if opened is None:
        raise RuntimeError("LibreOffice did not open the document.")
    try:
        # Twice: the first refresh extends the table of contents, the second one corrects its page numbers.
        for _ in range(2):
            opened.refresh()
            indexes = opened.getDocumentIndexes()
            for at in range(indexes.getCount()):
                indexes.getByIndex(at).update()
        exporting = {"FilterName": "writer_pdf_Export", "Overwrite": True}
        opened.storeToURL(uno.systemPathToFileUrl(pdf), properties(exporting))
    finally:
        opened.close(True)


def properties(values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


if __name__ == "__main__":
    convert(connect(sys.argv[1]), sys.argv[2], sys.argv[3], target="_blank", hidden=True)
