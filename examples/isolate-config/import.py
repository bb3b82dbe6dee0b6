"""A nightly import, or what matters of it here: it asks for the day after the last one that it has."""

import configparser
import datetime
import sys

config = configparser.ConfigParser(interpolation=None)
config.read(sys.argv[1])
source, batch = config["source"], config["batch"]
address = source["host"], source.getint("port"), source["user"]
last = datetime.date(2024, 3, 17).strftime(batch["dates"])
next_day = datetime.date.fromisoformat(last) + datetime.timedelta(days=1)
print(next_day, address, batch.getint("size"), batch.getint("retries"), config["report"]["level"])
