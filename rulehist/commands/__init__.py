"""The commands: one short function each, in modules by subject; ``rulehist.cli`` loads only the one asked for."""
