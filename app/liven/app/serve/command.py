"""`liven serve`: run, query or stop the membership service; keep channels for others."""

from __future__ import annotations

import argparse
import json
import threading
from collections.abc import Callable

from liven.app.network.cli import complain, config_of, many
from liven.app.network.settings import add_arguments
from liven.multicast.engine.sockets import Server
from liven.multicast.errors import MulticastError
from liven.multicast.service_process import (
    RemoteListener,
    ServicePaths,
    open_server,
    serve,
    service_status,
    start_in_background,
    stop_on_signals,
    stop_service,
)
from liven.multicast.socket_engine import EngineConfig
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK
from liven.runtime.os_error_text import explain_os_error

_KEEP_HELP = "also keep a copy of these channels, as a permanent member: NAME or as NETWORK/FOLDER/NAME"
_NETWORK_HELP = "the network of kept channels given by NAME (home)"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven serve`."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--daemon", action="store_true", help="run in the background until stopped")
    what.add_argument("--stop", action="store_true", help="stop the running service")
    what.add_argument("--status", action="store_true", help="show the status of the running service")
    parser.add_argument("--json", action="store_true", help="print the status as one JSON object")
    what.add_argument("--keep", nargs="+", default=[], metavar="CHANNEL", help=_KEEP_HELP)
    parser.add_argument("--network", default="home", metavar="NAME", help=_NETWORK_HELP)
    add_arguments(parser)
    parser.epilog = (
        "Programs start a service when they need one, and it ends when nobody does; one started here stays.\n"
        "Exit code: 0 done, 1 another service is running, or none is, 3 it cannot run here."
    )


def run(arguments: argparse.Namespace) -> int:
    """Do one of the four things, the first that is requested."""
    config = config_of(arguments)
    try:
        if arguments.stop:
            return OK if stop_service(config.place) else complain("no membership service is running", NO)
        if arguments.status or arguments.json:
            return _say_status(config.place, as_json=arguments.json)
        if arguments.daemon:
            return _start(config)
        if arguments.keep:
            return _keep(config, arguments)
        return _serve(config)
    except MulticastError as error:
        return complain(str(error), ENVIRONMENT)
    except OSError as error:
        return complain(explain_os_error(error, config.place.socket.parent), ENVIRONMENT)


def _say_status(place: ServicePaths, *, as_json: bool) -> int:
    facts = service_status(place)
    if as_json:
        print(json.dumps({"running": facts is not None, "socket": str(place.socket), **(facts or {})}))
    elif facts is None:
        print("no membership service is running")
    else:
        print(
            f"process {facts['pid']} serves {many(facts['members'], 'member')} "
            f"in {many(facts['groups'], 'group')}, "
            f"epoch {facts['epochs']} of generation {facts['generation']}"
        )
    return NO if facts is None else OK


def _remote_listener(config: EngineConfig) -> RemoteListener | None:
    return (
        RemoteListener(config.listen_at, config.keys)
        if config.listen_at and config.keys is not None
        else None
    )


def _start(config: EngineConfig) -> int:
    code, complaint = start_in_background(
        config.place,
        config.cluster,
        None,
        _remote_listener(config),
        config.suspicion,
        config.log,
        config.hybrid_regions,
    )
    if code == NO:
        complaint = "a membership service is already running; stop it with: liven serve --stop"
    return complain(complaint, code) if code else OK


def _open(config: EngineConfig) -> Server:
    return open_server(
        config.place, config.cluster, _remote_listener(config), config.suspicion, config.hybrid_regions
    )


def _serve(config: EngineConfig) -> int:
    try:
        server = _open(config)
    except BlockingIOError:
        return complain("a membership service is already running; stop it with: liven serve --stop", NO)
    stopped = stop_on_signals()
    where = f"{config.place.socket} and {config.listen_at}" if config.listen_at else str(config.place.socket)
    print(f"serving at {where}; Ctrl-C ends it", flush=True)
    code = serve(server, config.place, idle=None, stopped=stopped)
    return code if code == OK else complain("replaced by a membership service of a higher generation", code)


def _keep(config: EngineConfig, arguments: argparse.Namespace) -> int:
    """Keep channels until Ctrl-C, and run the service meanwhile unless another process does."""
    from liven.app.serve.kept_channels import keep, names_of  # slow to import
    from liven.liveobjects.channel.api.names import ChannelNameError

    try:
        names = names_of(arguments.keep, arguments.network)
    except ChannelNameError as error:
        return complain(str(error), BAD_USE)
    over = threading.Event()
    served = None if config.service else _served_beside(config, over.is_set)
    print(f"keeping {', '.join(names)}; Ctrl-C ends it", flush=True)
    try:
        return keep(config, names, arguments.network, as_json=False)
    finally:
        over.set()
        if served is not None:
            served.join()


def _served_beside(config: EngineConfig, over: Callable[[], bool]) -> threading.Thread | None:
    """Run the service in a thread; return None if another process runs it."""
    try:
        server = _open(config)
    except BlockingIOError:
        return None
    thread = threading.Thread(
        target=lambda: serve(server, config.place, idle=None, stopped=over), name="membership service"
    )
    thread.start()
    return thread
