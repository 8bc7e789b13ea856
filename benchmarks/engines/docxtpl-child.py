"""Runs a task for docxtpl as measure/child.ts does for the engines in Node: one task, lines of JSON."""

import base64
import io
import json
import os
import resource
import sys
import time

from docx.shared import Cm
from docxtpl import DocxTemplate, InlineImage

IMAGE_SIDE = Cm(3)
AGAIN_WARM_MS = 100


def render(template, data, images):
    """Renders a document as the manual of docxtpl shows it."""
    document = DocxTemplate(io.BytesIO(template))
    context = with_images(document, data) if images else data
    document.render(context, autoescape=True)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def with_images(document, value):
    """Creates pictures per document, since in docxtpl they belong to a document."""
    if isinstance(value, bytes):
        return InlineImage(document, io.BytesIO(value), width=IMAGE_SIDE)
    if isinstance(value, dict):
        return {key: with_images(document, item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_images(document, item) for item in value]
    return value


def adapt(value):
    """Decodes pictures before the measurement, as for the other engines."""
    if isinstance(value, dict):
        if "pngBase64" in value:
            return base64.b64decode(value["pngBase64"])
        return {key: adapt(item) for key, item in value.items()}
    if isinstance(value, list):
        return [adapt(item) for item in value]
    return value


def has_images(value):
    """Whether data has pictures. Other data is passed unchanged: the search for pictures is not docxtpl's work."""
    if isinstance(value, dict):
        return any(has_images(item) for item in value.values())
    if isinstance(value, list):
        return any(has_images(item) for item in value)
    return isinstance(value, bytes)


def repeat(make, sets, go_on):
    """Renders documents while a condition on their number holds, and returns the number."""
    made = 0
    while go_on(made):
        make(sets[made % len(sets)])
        made += 1
    return made


def until_busy_for(milliseconds):
    """Returns a condition that holds until this process has used some CPU time."""
    end = time.process_time() + milliseconds / 1000
    return lambda made: time.process_time() < end


def measure(make, sets, window_ms, fewest):
    repeat(make, sets, until_busy_for(AGAIN_WARM_MS))
    before = time.process_time()
    end = time.perf_counter() + window_ms / 1000
    documents = repeat(
        make, sets, lambda made: made < fewest or time.perf_counter() < end
    )
    cpu = time.process_time() - before
    return {
        "documents": documents,
        "cpuMs": cpu * 1000 / documents,
        "peakMb": peak_kilobytes() * 1024 / 1e6,
    }


def peak_kilobytes():
    """The peak resident memory of this process, as in measure/meter.ts."""
    try:
        with open("/proc/self/status", encoding="utf-8") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1])
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def answers(task):
    with open(task["template"], "rb") as file:
        template = file.read()
    with open(task["data"], encoding="utf-8") as file:
        sets = [adapt(each) for each in json.load(file)]
    images = has_images(sets[0])
    if task["task"] == "documents":
        for index, data in enumerate(sets[: task["count"]]):
            with open(os.path.join(task["folder"], f"{index}.docx"), "wb") as file:
                file.write(render(template, data, images))
        yield None
        return

    def make(data):
        render(template, data, images)

    repeat(make, sets, until_busy_for(task["warmUpMs"]))
    yield {"warm": True}
    for _ in sys.stdin:
        yield measure(make, sets, task["windowMs"], task["fewest"])


try:
    for answer in answers(json.loads(sys.argv[1])):
        print(json.dumps(answer), flush=True)
except Exception as error:
    print(json.dumps({"failed": f"{type(error).__name__}: {error}"}))
