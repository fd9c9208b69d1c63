"""Who is answered: names of the server, other sites, the token; and what every answer says."""

from __future__ import annotations

import pytest

from rocspace.web import guard
from served import HOME, ROWS, Serve, Visitor, messages

TOKEN = "a-token-that-is-long"


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:8765", "10.0.0.7", ""])
def test_another_name_of_the_server_is_refused(client: Visitor, host: str) -> None:
    response = client.get("/api/files", headers={"Host": host})
    assert response.status_code == 403
    assert "not known by that name" in messages(response)


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "LOCALHOST", "[::1]:9", "localhost.:80"])
def test_names_of_this_computer_are_answered(client: Visitor, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


def test_addresses_in_numbers_are_known_only_beside_a_token() -> None:
    guard.check_host("10.0.0.7:80", ("mine",), by_address=True)
    with pytest.raises(guard.RefusedError, match="not known by that name"):
        guard.check_host("ten.example", ("mine",), by_address=True)
    with pytest.raises(guard.RefusedError, match="not known by that name"):
        guard.check_host("10.0.0.7:80", ("mine",), by_address=False)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "http://localhost:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_are_refused(client: Visitor, headers: dict[str, str]) -> None:
    for answer in (
        client.get("/api/files", headers=headers),
        client.post("/api/files", files={"file": ("a.csv", ROWS)}, headers=headers),
        client.delete("/api/files", headers=headers),
    ):
        assert answer.status_code == 403
        assert "other sites" in messages(answer)
        assert "access-control-allow-origin" not in answer.headers


def test_a_link_may_open_the_page_and_nothing_else(client: Visitor) -> None:
    clicked = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    assert client.get("/", headers=clicked).status_code == 200
    assert client.get("/reports/x", headers=clicked).status_code == 403
    framed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"}
    assert client.get("/", headers=framed).status_code == 403


def test_the_page_itself_is_answered(client: Visitor) -> None:
    own = {"Origin": HOME, "Sec-Fetch-Site": "same-origin"}
    sent = client.post("/api/files", files={"file": ("a.csv", ROWS)}, headers=own)
    assert sent.status_code == 200


def test_every_answer_says_how_to_treat_it(client: Visitor) -> None:
    for path in ("/", "/page/main.js", "/api/files", "/nothing", "/reports/x"):
        headers = client.get(path).headers
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "unsafe" not in headers["content-security-policy"]
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["cross-origin-resource-policy"] == "same-origin"


def test_the_page_has_no_script_or_style_of_its_own(client: Visitor) -> None:
    page = client.get("/").text
    assert "<style" not in page
    assert " style=" not in page
    assert page.count("<script") == 1
    assert "onclick" not in page
    assert "http:" not in page
    assert "https:" not in page


@pytest.mark.parametrize("name", ["..%2fapp.py", "page.html", "nothing.js", "%00.js", "../app.py"])
def test_only_what_belongs_to_the_page_is_served(client: Visitor, name: str) -> None:
    assert client.get(f"/page/{name}").status_code in (404, 405)


def test_the_programs_description_is_not_served(client: Visitor) -> None:
    for path in ("/docs", "/redoc", "/openapi.json"):
        assert client.get(path).status_code == 404


def test_without_the_token_there_is_nothing(serving: Serve) -> None:
    stranger = serving(token=TOKEN)
    asked = stranger.get("/")
    assert asked.status_code == 401
    assert "Token" in asked.text
    assert "set-cookie" not in asked.headers
    assert stranger.give(ROWS).status_code == 404
    wrong = stranger.get("/", params={"token": TOKEN[:-1]})
    assert wrong.status_code == 401
    assert "That is not the token" in wrong.text
    assert stranger.post("/enter", data={"token": "x" * 1000}).status_code == 401


def test_the_token_opens_the_page_and_leaves_the_address(serving: Serve) -> None:
    friend = serving(token=TOKEN)
    entered = friend.get("/", params={"token": TOKEN})
    assert entered.status_code == 200
    assert TOKEN not in entered.text
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    assert "data-about" in friend.get("/").text
    assert friend.give(ROWS).status_code == 200


def test_the_form_takes_the_token_too(serving: Serve) -> None:
    friend = serving(token=TOKEN)
    own = {"Origin": HOME}
    assert friend.post("/enter", data={"token": TOKEN}, headers=own).status_code == 200
    assert "data-about" in friend.get("/").text


def test_tokens_with_other_letters_are_compared(serving: Serve) -> None:
    assert not guard.same_token("é", TOKEN)
    assert not guard.same_token(None, TOKEN)
    assert guard.same_token("é" * 12, "é" * 12)
