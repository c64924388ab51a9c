# SPDX-License-Identifier: MIT
"""Asks the panels of a dashboard for ClickHouse as Grafana and its ClickHouse plugin do."""
import json
import re
import urllib.error
import urllib.request


class QueryError(Exception):
    pass


class Dashboard:
    """STORE is a URL of physmem-fleet; its first host is asked."""

    def __init__(self, path, store):
        server, _, place = store.removeprefix("clickhouse+").rpartition("/")
        self.url = server.split(",")[0]
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        self.panels = content["panels"]
        self.values = {"database": place.partition("?")[0]}
        for variable in content["templating"]["list"]:
            name = variable["name"]
            if name in ("datasource", "database"):
                continue
            if variable["type"] == "query":    # the first column is the value
                self.values[name] = self.ask(self.expanded(variable["query"], {}))["data"][0][0]
            else:
                self.values[name] = variable["current"]["value"]

    def ask(self, sql):
        try:
            with urllib.request.urlopen(self.url, (sql + " FORMAT JSONCompact").encode(),
                                        timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise QueryError(f"{error.read().decode()}\n{sql}") from None
        except ValueError as error:
            raise QueryError(f"{error}\n{sql}") from None

    def expanded(self, sql, values):
        values = {**self.values, **values}
        sql = re.sub(r"\$\{__(from|to):date:seconds\}", lambda found: str(values[found[1]]), sql)
        sql = re.sub(r"\$__timeFilter\((\w+)\)", lambda found: (
            f"{found[1]} >= toDateTime({values['from']}) AND "
            f"{found[1]} <= toDateTime({values['to']})"), sql)
        return re.sub(r"\$(\w+)", lambda found: str(values[found[1]]), sql)

    def answer(self, panel, **values):
        """`values`: from, to, __interval_s, and of variables other values than those by default."""
        return self.ask(self.expanded(panel["targets"][0]["rawSql"], values))
