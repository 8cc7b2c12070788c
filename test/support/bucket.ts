import { atEnd } from './cleanup'

export interface BucketCall {
  method: string
  key: string
  query: string
  authorization: string
  token: string | null
}

/** A service on loopback that speaks the part of the protocol of S3 that uploads use. */
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
    return (await bucket.fault(call)) ?? act(call, url.searchParams, body)
  }

  /** The access key that has signed: in a header, or in the query. */
  function signerOf({ authorization }: BucketCall, query: URLSearchParams): string | undefined {
    const [key] = (query.get('X-Amz-Credential') ?? '').split('/')
    const isSigned = /^[0-9a-f]{64}$/.test(query.get('X-Amz-Signature') ?? '')
    return isSigned && authorization === '' ? key : SIGNED.exec(authorization)?.[1]
  }

  function act({ method, key }: BucketCall, query: URLSearchParams, body: Uint8Array): Response {
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
}

const xml = (text: string): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, { headers: { 'content-type': 'application/xml' } })
