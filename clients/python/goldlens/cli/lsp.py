"""`goldlens lsp`: the language server, for editors to start."""

from __future__ import annotations

import sys

import click


def address(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[str, int] | None:
    """HOST:PORT as a host and a port; an IPv6 host may stand in brackets, none is this machine."""
    if value is None:
        return None
    host, colon, port = value.rpartition(":")
    if not (colon and port.isascii() and port.isdecimal() and int(port) <= 65535):
        raise click.BadParameter(f"expected HOST:PORT, such as 127.0.0.1:2087, not “{value}”")
    return host.strip("[]") or "127.0.0.1", int(port)


@click.command(name="lsp")
@click.option("--stdio", is_flag=True, help="Standard input and output: the default.")
@click.option("--tcp", callback=address, metavar="HOST:PORT", help="Listen there instead.")
@click.option(
    "--daemon/--no-daemon",
    default=None,
    help="Start a daemon if none runs, or join none.  [default: join one that runs]",
)
@click.option(
    "--log",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="How much to say on standard error.",
)
def command(stdio: bool, tcp: tuple[str, int] | None, daemon: bool | None, log: str | None) -> int:
    """The language server, on standard input and output.

    You do not start it, your editor does. It joins the daemon of the editor's workspace, if one
    runs; if that dies, another server takes its place, and the editor goes on.
    """
    # The server's imports take long; whoever asks for help, or wrongly, need not wait for them.
    if tcp is not None:
        from goldlens.server.lsp import serve_tcp

        if daemon:
            raise click.UsageError("--daemon is for standard input and output, not for --tcp")
        return serve_tcp(*tcp, log)
    if sys.stdin is not None and sys.stdin.isatty():
        click.echo(
            "This is for editors: it waits for one to speak to it. Ctrl-C ends it.", err=True
        )
    if daemon or (daemon is None and _any_daemon()):
        from goldlens.cli.forwarding.serving import serve

        return serve(start=daemon is True, level=log)
    from goldlens.server.lsp import serve_stdio

    return serve_stdio(log)


def _any_daemon() -> bool:
    """Whether there is, or has been, a daemon of any folder at all."""
    from goldlens.client.errors import UnsafePlace
    from goldlens.client.place import runtime_folder

    try:
        return any(runtime_folder().glob("*.json"))
    except (OSError, UnsafePlace):
        return False
