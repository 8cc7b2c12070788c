import { atEnd } from './cleanup'

export interface BucketCall {
  method: string
  key: string
  query: string
  authorization: string
  token: string | null
}

/** A service on loopback that speaks the part of the protocol of S3 that svc uses. */
export interface BucketServer {
  url: string
  /** Complete objects by `bucket/key`. */
  objects: Map<string, Uint8Array>
  calls: BucketCall[]
  /** Uploads in parts that are begun and neither completed nor aborted. */
  open: Map<string, Map<number, Uint8Array>>
  /** Answers in place of the bucket; null = the bucket answers. */
  fault: (call: BucketCall) => Response | null | Promise<Response | null>
  text(key: string): string
  /** The most keys of one page of a list. */
  pageSize: number
}

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/[a-z0-9-]+\/s3\/aws4_request, ?SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, ?Signature=[0-9a-f]{64}$/

export const refusal = (status: number, code: string): Response =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })

/** Accepts what this access key has signed. The signature itself is not computed again. */
export function bucketServer(accessKeyId: string): BucketServer {
  const bucket: BucketServer = {
    url: '',
    objects: new Map(),
    calls: [],
    open: new Map(),
    fault: () => null,
    pageSize: 1000,
    text: (key) => new TextDecoder().decode(bucket.objects.get(key)),
  }
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', maxRequestBodySize: 1 << 30, fetch: answer })
  atEnd(() => server.stop(true))
  bucket.url = `http://127.0.0.1:${server.port}`
  return bucket

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const call: BucketCall = {
      method: request.method,
      key: decodeURIComponent(url.pathname.slice(1)),
      query: url.search,
      authorization: request.headers.get('authorization') ?? '',
      token: request.headers.get('x-amz-security-token'),
    }
    bucket.calls.push(call)
    const body = await request.bytes()
    if (signerOf(call, url.searchParams) !== accessKeyId) return refusal(403, 'InvalidAccessKeyId')
    return (await bucket.fault(call)) ?? act(call, url.searchParams, body, request.headers.get('range'))
  }

  /** The access key that has signed: in a header, or in the query. */
  function signerOf({ authorization }: BucketCall, query: URLSearchParams): string | undefined {
    const [key] = (query.get('X-Amz-Credential') ?? '').split('/')
    const isSigned = /^[0-9a-f]{64}$/.test(query.get('X-Amz-Signature') ?? '')
    return isSigned && authorization === '' ? key : SIGNED.exec(authorization)?.[1]
  }

  function act({ method, key }: BucketCall, query: URLSearchParams, body: Uint8Array, range: string | null): Response {
    if (method === 'GET' && query.get('list-type') === '2') return list(key.replace(/\/$/, ''), query)
    if (method === 'GET' || method === 'HEAD') return objectAnswer(bucket.objects.get(key), method, range)
    const id = query.get('uploadId') ?? ''
    const parts = bucket.open.get(id)
    if (method === 'POST' && query.has('uploads')) {
      const made = `upload-${bucket.calls.length}`
      bucket.open.set(made, new Map())
      return xml(`<InitiateMultipartUploadResult><UploadId>${made}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (method === 'PUT' && id === '') {
      bucket.objects.set(key, body)
      return new Response(null, { headers: { etag: '"whole"' } })
    }
    if (method === 'DELETE' && id === '') {
      bucket.objects.delete(key)
      return new Response(null, { status: 204 })
    }
    if (!parts) return refusal(404, 'NoSuchUpload')
    if (method === 'DELETE') {
      bucket.open.delete(id)
      return new Response(null, { status: 204 })
    }
    if (method === 'PUT') {
      parts.set(Number(query.get('partNumber')), body)
      return new Response(null, { headers: { etag: `"part-${query.get('partNumber')}"` } })
    }
    const ordered = [...parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes)
    bucket.objects.set(key, Buffer.concat(ordered))
    bucket.open.delete(id)
    return xml('<CompleteMultipartUploadResult><ETag>"all"</ETag></CompleteMultipartUploadResult>')
  }

  function list(name: string, query: URLSearchParams): Response {
    const found = [...bucket.objects].flatMap(([path, { length }]) => {
      const key = path.startsWith(`${name}/`) ? path.slice(name.length + 1) : null
      return key?.startsWith(query.get('prefix') ?? '') ? [{ key, length }] : []
    })
    const from = Number(query.get('continuation-token') ?? 0)
    const until = from + Math.min(bucket.pageSize, Number(query.get('max-keys') ?? 1000))
    const page = found.sort((a, b) => (a.key < b.key ? -1 : 1)).slice(from, until)
    const contents = page.map(({ key, length }) => `<Contents><Key>${key}</Key><Size>${length}</Size></Contents>`)
    const isMore = until < found.length
    const more = isMore ? `<NextContinuationToken>${until}</NextContinuationToken>` : ''
    return xml(
      `<ListBucketResult><Name>${name}</Name><KeyCount>${page.length}</KeyCount><IsTruncated>${isMore}</IsTruncated>${more}${contents.join('')}</ListBucketResult>`,
    )
  }
}

function objectAnswer(bytes: Uint8Array | undefined, method: string, range: string | null): Response {
  if (bytes === undefined) return method === 'HEAD' ? new Response(null, { status: 404 }) : refusal(404, 'NoSuchKey')
  if (method === 'HEAD') return new Response(null, { headers: { 'content-length': String(bytes.length) } })
  const from = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)
  if (from > 0 && from >= bytes.length) return refusal(416, 'InvalidRange')
  return new Response(new Uint8Array(bytes.subarray(from)), { status: range === null ? 200 : 206 })
}

const xml = (text: string): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, { headers: { 'content-type': 'application/xml' } })
