"""
OpenStack Swift, whole and in one process, as an S3 store behind TLS: its own servers, its own S3 door, which verifies
signatures, and its own list of users. What is kept lies in memory (objects) and in the folder (lists of them).

    swift-server.py FOLDER CERTIFICATE KEY

Prints the port of the S3 door once it answers.
"""

import sys

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi
from swift.common import utils
from swift.common.ring import RingBuilder
from swift.common.wsgi import loadapp

folder, certificate, key = sys.argv[1:]

# Its filters stand in the order that its documentation gives; what S3 does not need is left out.
PROXY = """
[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats s3api tempauth dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
allow_multipart_uploads = false
[filter:tempauth]
use = egg:swift#tempauth
user_shop_backups = Right-Key-1 .admin
user_shop_stranger = Strangers-Key-1
[filter:dlo]
use = egg:swift#dlo
"""

STORE = """
[pipeline:main]
pipeline = store
[app:store]
use = egg:swift#%s
"""


class Forgetful:
    """Its servers ask a memcached, and go on without an answer; its list of users wants one to be named."""

    def __getattr__(self, name):
        return lambda *given, **named: None


def application(name, text):
    path = f"{folder}/{name}.conf"
    with open(path, "w") as file:
        file.write(f"[DEFAULT]\nswift_dir = {folder}\ndevices = {folder}/disks\nmount_check = false\n{text}")
    return loadapp(path)


def write_ring(name, socket):
    """One copy on one disk, behind that socket."""
    ip, port = socket.getsockname()
    builder = RingBuilder(1, 1, 1)
    builder.add_dev({
        "region": 1, "zone": 1, "weight": 1, "device": "one",
        "ip": ip, "port": port, "replication_ip": ip, "replication_port": port,
    })
    builder.rebalance()
    builder.get_ring().save(f"{folder}/{name}.ring.gz")


with open(f"{folder}/swift.conf", "w") as file:
    file.write("[swift-hash]\nswift_hash_path_suffix = test\n")
utils.SWIFT_CONF_FILE = f"{folder}/swift.conf"

stores = {"account": "account", "container": "container", "object": "mem_object"}
sockets = {name: eventlet.listen(("127.0.0.1", 0)) for name in stores}
for name, socket in sockets.items():
    write_ring(name, socket)
for name, kind in stores.items():
    eventlet.spawn(wsgi.server, sockets[name], application(name, STORE % kind), log_output=False)

proxy = application("proxy", PROXY)


def door(environment, start_response):
    environment["swift.cache"] = Forgetful()
    return proxy(environment, start_response)


listening = eventlet.listen(("127.0.0.1", 0))
print(listening.getsockname()[1], flush=True)
wsgi.server(
    eventlet.wrap_ssl(listening, certfile=certificate, keyfile=key, server_side=True), door, log_output=False
)
