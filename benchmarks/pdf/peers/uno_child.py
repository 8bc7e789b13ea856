"""The process of a peer in Python: does what child.ts does for peers in Node, over LibreOffice's `uno`.

Both peers re-implement the methods of other programs for this benchmark. `listener` follows unoserver: one LibreOffice
that keeps running, controlled over one connection. `per-document` follows Gotenberg: a new LibreOffice after ten
documents, and for each document a new Python that connects to it.
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import uno
from convert_once import connect, convert

RESTART_AFTER = 10
CONVERT_ONCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "convert_once.py")
# LibreOffice's exit code after it has created a profile and must be started again.
WANTS_RESTART = 81
START_LIMIT_SECONDS = 60
# Our own output is parsed as answers.
SILENT = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class Office:
    """A LibreOffice with a new profile that listens at a pipe."""

    def __init__(self, soffice, folder):
        self.profile = os.path.join(folder, "profile")
        self.pipe = f"quirebench{os.getpid()}"
        self.command = [
            os.path.join(os.path.dirname(os.path.realpath(soffice)), "soffice.bin"),
            "--headless",
            "--invisible",
            "--nocrashreport",
            "--nodefault",
            "--nologo",
            "--nofirststartwizard",
            "--norestore",
            f"-env:UserInstallation={uno.systemPathToFileUrl(self.profile)}",
            f"--accept=pipe,name={self.pipe};urp;StarOffice.ComponentContext",
        ]
        self.process = None

    def start(self):
        status = subprocess.run(self.command, check=False, **SILENT).returncode
        if status not in (0, WANTS_RESTART):
            raise RuntimeError(f"LibreOffice ended with {status}.")
        self.process = subprocess.Popen(self.command, **SILENT)
        return self.wait()

    def wait(self):
        end = time.monotonic() + START_LIMIT_SECONDS
        while True:
            try:
                return connect(self.pipe)
            except Exception:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def stop(self):
        if self.process is None:
            return
        self.process.kill()
        self.process.wait()
        self.process = None
        shutil.rmtree(self.profile, ignore_errors=True)
        for name in (self.pipe, single_instance(self.profile)):
            try:
                os.remove(f"/tmp/OSL_PIPE_{os.getuid()}_{name}")
            except FileNotFoundError:
                pass


def single_instance(profile):
    """The name of the socket that a killed LibreOffice leaves for its profile: a hash without padded bytes."""
    digest = hashlib.md5(uno.systemPathToFileUrl(profile).encode("utf-16-le")).digest()
    return "SingleOfficeIPC_" + "".join(f"{byte:x}" for byte in digest)


class Listener:
    """unoserver's way."""

    def __init__(self, office):
        self.office = office
        self.desktop = office.start()

    def convert(self, document, pdf):
        # unoserver's target is "_default", which creates an invisible window for the document.
        convert(self.desktop, document, pdf, target="_default", hidden=False)


class PerDocument:
    """Gotenberg's way."""

    def __init__(self, office):
        self.office = office
        self.office.start()
        self.converted = 0

    def convert(self, document, pdf):
        command = [sys.executable, CONVERT_ONCE, self.office.pipe, document, pdf]
        ended = subprocess.run(command, check=False).returncode
        # Python's bridge to LibreOffice sometimes crashes during shutdown, after its work.
        crashed = ended == -signal.SIGSEGV and os.path.exists(pdf)
        if ended != 0 and not crashed:
            raise RuntimeError(f"The converter ended with {ended}.")
        self.converted += 1
        if self.converted % RESTART_AFTER == 0:
            self.office.stop()
            self.office.start()


PEERS = {"listener": Listener, "per-document": PerDocument}


def convert_some(peer, task, request):
    documents = task["documents"]
    pdf = os.path.join(task["folder"], "document.pdf")
    latencies = []
    begun = time.monotonic()

    def goes_on():
        made = len(latencies)
        if made < request["fewest"] or made % task["step"] != 0:
            return True
        return (time.monotonic() - begun) * 1000 < request["windowMs"]

    while goes_on():
        document = documents[(request["from"] + len(latencies)) % len(documents)]
        start = time.monotonic()
        peer.convert(document, pdf)
        latencies.append((time.monotonic() - start) * 1000)
    return {"wallMs": (time.monotonic() - begun) * 1000, "latenciesMs": latencies}


def main():
    task = json.loads(sys.argv[1])
    office = Office(task["soffice"], task["folder"])
    try:
        peer = PEERS[task["peer"]](office)
        for line in sys.stdin:
            request = json.loads(line)
            answer = None
            if request["do"] == "convert":
                answer = convert_some(peer, task, request)
            else:
                peer.convert(task["documents"][0], request["file"])
            print(json.dumps(answer), flush=True)
    except Exception as error:
        print(json.dumps({"failed": f"{type(error).__name__}: {error}"}), flush=True)
    finally:
        office.stop()


main()
