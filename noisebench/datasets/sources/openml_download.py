"""A small program around the openml package: download one data set, print the facts as JSON.

Run as ``python -m noisebench.datasets.sources.openml_download NUMBER`` with OPENML_CACHE_DIR set
to the folder for the files. The last line of its output is the answer.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from noisebench.components import first_sentence


def main(number: int) -> None:
    """Print where the file lies and what OpenML says about it, or what went wrong."""
    import openml
    import requests
    from openml.exceptions import OpenMLHashException, OpenMLServerError

    openml.config.server = os.environ.get("NOISEBENCH_OPENML_SERVER", openml.config.server)
    openml.config.set_retry_policy("human", n_retries=1)
    try:
        answer = _describe(openml.datasets.get_dataset(number, download_data=True))
    except OpenMLHashException as error:
        answer = {"damaged": f"the file does not match OpenML's checksum ({first_sentence(error)})"}
    except requests.ConnectionError:
        answer = {"unavailable": f"{openml.config.server} cannot be reached"}
    except (OpenMLServerError, requests.RequestException) as error:
        answer = {"unavailable": f"{openml.config.server}: {first_sentence(error)[:300]}"}
    except Exception as error:  # the package does not check what a server sends it
        answer = {"damaged": f"the answer makes no sense ({type(error).__name__}: {error})"}
    print(json.dumps(answer))


def _describe(data: Any) -> dict[str, Any]:
    is_parquet = data.parquet_file is not None
    row_id = [data.row_id_attribute] if data.row_id_attribute else []
    return {
        "path": str(data.parquet_file if is_parquet else data.data_file),
        "format": "parquet" if is_parquet else "arff",
        "version": data.version,
        "target": data.default_target_attribute,
        "ignored": [*(data.ignore_attribute or []), *row_id],
    }


if __name__ == "__main__":
    main(int(sys.argv[1]))
