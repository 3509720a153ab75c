"""The live view: Datasette with pages of our own over one store (extra ``rulehist[web]``)."""
