"""OpenML, played by a local server: its answers, its silences, and life without it."""

from __future__ import annotations

import hashlib
import io
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pandas as pd
import pytest

from noisebench.datasets.cache import Cache
from noisebench.datasets.sources import OpenMLSource, SourceUnavailable
from noisebench.errors import DataError, InputError

ARFF = b"""@relation toy
@attribute id integer
@attribute width real
@attribute kind {no, yes}
@data
1, 0.5, no
2, 1.5, yes
3, 2.5, yes
"""

DESCRIPTION = """<oml:data_set_description xmlns:oml="http://openml.org/openml">
<oml:id>61</oml:id><oml:name>toy</oml:name><oml:version>2</oml:version>
<oml:description>A toy.</oml:description><oml:format>ARFF</oml:format>
<oml:licence>Public</oml:licence><oml:url>{server}/data/download/61/toy.arff</oml:url>
<oml:parquet_url>{server}/datasets/toy.pq</oml:parquet_url>
<oml:default_target_attribute>kind</oml:default_target_attribute>
<oml:row_id_attribute>id</oml:row_id_attribute>
<oml:md5_checksum>{md5}</oml:md5_checksum>
</oml:data_set_description>"""

UNKNOWN = """<oml:error xmlns:oml="http://openml.org/openml">
<oml:code>111</oml:code><oml:message>Unknown dataset</oml:message></oml:error>"""


class Server(ThreadingHTTPServer):
    """What a client may get: bodies by path. A path in ``silent`` is never answered."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        self.asked: list[str] = []
        self.silent: set[str] = set()
        self.closing = threading.Event()
        self.bodies: dict[str, bytes] = {"/data/download/61/toy.arff": ARFF}
        self.describe(hashlib.md5(ARFF).hexdigest())

    def describe(self, md5: str) -> None:
        text = DESCRIPTION.format(server=self.address, md5=md5)
        self.bodies["/api/v1/xml/data/61"] = text.encode()


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.server.asked.append(path)
        if path in self.server.silent:
            self.server.closing.wait()
            return
        body = self.server.bodies.get(path, UNKNOWN.encode())
        self.send_response(200 if path in self.server.bodies else 412)
        self.send_header("Content-Length", str(len(body)))
        # What a client of the object store, where Parquet files lie, wants to see.
        self.send_header("ETag", f'"{hashlib.md5(body).hexdigest()}"')
        self.send_header("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server(cache_dir, monkeypatch, tmp_path) -> Iterator[Server]:
    server = Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("NOISEBENCH_OPENML_SERVER", f"{server.address}/api/v1/xml")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))  # where openml keeps its settings
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    yield server
    server.closing.set()
    server.shutdown()
    server.server_close()


def test_second_use_needs_no_server(server, cache_dir):
    source = OpenMLSource(61, version=2)
    assert source.needs_network()
    table = source.load()
    assert table.features.to_dict("list") == {"width": [0.5, 1.5, 2.5]}
    assert table.target.tolist() == ["no", "yes", "yes"]
    asked = len(server.asked)
    server.bodies.clear()
    assert not source.needs_network()
    assert source.load().target.tolist() == ["no", "yes", "yes"]
    assert len(server.asked) == asked
    assert [finding.problem for finding in Cache().verify_all()] == ["", ""]
    suffixes = {path.suffix for path in cache_dir.rglob("*") if path.is_file()}
    assert suffixes == {"", ".json", ".lock"}  # neither pickles nor openml's own cache


def test_damaged_answer_in_the_cache_is_fetched_again(server, cache_dir, caplog):
    OpenMLSource(61).load()
    [path] = (path for path in (cache_dir / "files").rglob("*") if len(path.name) == 64)
    path.write_bytes(b"not what was stored")
    assert len(OpenMLSource(61).load().target) == 3
    assert str(path) in caplog.text


def test_parquet(server):
    buffer = io.BytesIO()
    frame = pd.DataFrame({"id": [1, 2], "width": [0.5, 1.5], "kind": ["no", "yes"]})
    frame.to_parquet(buffer, index=False)
    server.bodies["/datasets/toy.pq"] = buffer.getvalue()
    table = OpenMLSource(61, format="parquet").load()
    assert table.features.to_dict("list") == {"width": [0.5, 1.5]}
    assert table.target.tolist() == ["no", "yes"]
    assert "/data/download/61/toy.arff" not in server.asked


def test_unknown_number(server):
    with pytest.raises(SourceUnavailable, match=r"Unknown dataset.* NOISEBENCH_OPENML_SERVER"):
        OpenMLSource(404).load()


def test_wrong_checksum_is_refused_and_not_kept(server, cache_dir):
    server.describe("0" * 32)
    with pytest.raises(DataError, match=r"OpenML data set 61: .* does not match") as caught:
        OpenMLSource(61).load()
    assert not isinstance(caught.value, SourceUnavailable)
    assert not (cache_dir / "files").exists()


def test_silent_server_is_given_up(server):
    server.silent.add("/api/v1/xml/data/61")
    with pytest.raises(SourceUnavailable, match=r"did not answer within 6 s"):
        OpenMLSource(61, timeout=6).load()


def test_no_server_at_all(server, monkeypatch):
    monkeypatch.setenv("NOISEBENCH_OPENML_SERVER", "http://127.0.0.1:9/api/v1/xml")
    with pytest.raises(SourceUnavailable, match=r"127\.0\.0\.1:9.* check the network"):
        OpenMLSource(61).load()


def test_answer_that_makes_no_sense(server):
    server.bodies["/api/v1/xml/data/61"] = b"<html>Please log in to this network</html>"
    with pytest.raises(DataError, match="the answer makes no sense"):
        OpenMLSource(61).load()


def test_another_version_is_refused(server):
    with pytest.raises(DataError, match="is version 2, but the catalogue expects version 1"):
        OpenMLSource(61, version=1).load()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"id": 0}, "positive whole number, got 0"),
        ({"id": "iris"}, "positive whole number, got 'iris'"),
        ({"id": 61, "format": "csv"}, "is 'arff' or 'parquet', got 'csv'"),
    ],
)
def test_settings_that_make_no_sense(settings, message):
    with pytest.raises(InputError, match=message):
        OpenMLSource(**settings)
