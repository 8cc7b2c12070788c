import { failureOf, Unreachable } from './failure'

/** The person ended the upload, so there is nothing to say. */
export class UploadEnded extends Error {}

export interface Upload<D> {
  done: Promise<D>
  abort: () => void
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ gz: 'application/gzip', gzip: 'application/gzip', zip: 'application/zip' },
  ...{ jsonl: 'application/jsonl', ndjson: 'application/jsonl' },
}

/** Sends a file as it is, however large it is, and reports how much of it was sent. */
export function upload<D>(
  url: string,
  file: File,
  onProgress: (share: number) => void,
  type = TYPES[file.name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text/csv',
): Upload<D> {
  const request = new XMLHttpRequest()
  const done = new Promise<D>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onerror = () => reject(new Unreachable('the server does not answer'))
    request.onabort = () => reject(new UploadEnded('the upload was ended'))
    request.onload = () => {
      const body: unknown = parsed(request.responseText)
      if (request.status >= 200 && request.status < 300) return resolve((body as { data: D }).data)
      reject(failureOf(new Response(null, { status: request.status, headers: headersOf(request) }), body))
    }
  })
  request.open('POST', url)
  request.setRequestHeader('content-type', type)
  request.send(file)
  return { done, abort: () => request.abort() }
}

const headersOf = (request: XMLHttpRequest): Record<string, string> =>
  Object.fromEntries(
    ['x-request-id', 'retry-after'].flatMap((name) => {
      const value = request.getResponseHeader(name)
      return value === null ? [] : [[name, value]]
    }),
  )

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // A proxy answered, not the server.
  }
}
