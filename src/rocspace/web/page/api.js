// What is asked of the server. An answer that is not one is an error with problems to show.

export class Refused extends Error {
  constructor(problems) {
    super(problems.map((each) => each.message).join(" "));
    this.problems = problems;
  }
}

const gone = { field: "fault", fixes: [],
  message: "The program that shows this page has stopped. Start it again: rocspace serve" };

async function answered(response) {
  const said = await response.json().catch(() => null);
  if (response.ok && said) return said;
  throw new Refused(said?.problems ?? [{ ...gone, message: `The server answered ${response.status}.` }]);
}

export async function call(method, path, { body, signal } = {}) {
  const how = { method, signal, headers: {} };
  if (body !== undefined) {
    how.body = JSON.stringify(body);
    how.headers["Content-Type"] = "application/json";
  }
  try {
    return await answered(await fetch(path, how));
  } catch (error) {
    if (error instanceof TypeError) throw new Refused([gone]);
    throw error;
  }
}

// fetch cannot tell how much of a file has been sent.
export function send(file, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/files");
    request.upload.onprogress = (event) => progress(event.loaded / event.total);
    request.onerror = () => reject(new Refused([gone]));
    request.onload = () => answered(new Response(request.responseText, { status: request.status }))
      .then(resolve, reject);
    const form = new FormData();
    form.append("file", file, file.name);
    request.send(form);
  });
}

export async function take(path, name) {
  const response = await fetch(path);
  if (!response.ok) await answered(response);
  const said = response.headers.get("Content-Disposition") ?? "";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = /filename="([^"]+)"/.exec(said)?.[1] ?? name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
