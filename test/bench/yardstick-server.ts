import { Elysia } from 'elysia'

// Runs in its own process. `bun yardstick-server.ts elysia` is the least that a route can cost. `... canned` answers
// all bytes with the same ones, and so shows the maximum of the load client. `... refusing` reads each body and refuses the
// call, and so shows the memory that the runtime itself takes.

const ANSWER = '{"ok":true}'
const CANNED = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${ANSWER.length}\r\n\r\n${ANSWER}`

function listenElysia(): number | undefined {
  const app = new Elysia().get('/', () => ({ ok: true })).get('/health', () => ({ status: 'ok' }))
  return app.listen({ hostname: '127.0.0.1', port: 0 }).server?.port
}

function listenCanned(): number {
  const bytes = Buffer.from(CANNED)
  const socket = { data: (socket: Bun.Socket) => void socket.write(bytes) }
  return Bun.listen({ hostname: '127.0.0.1', port: 0, socket }).port
}

const REFUSAL = JSON.stringify({ error: { code: 'VALIDATION_ERROR', message: 'x'.repeat(150) } })

function listenRefusing(): number | undefined {
  const init = { status: 400, headers: { 'content-type': 'application/json' } }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      await request.arrayBuffer()
      return new URL(request.url).pathname === '/health' ? new Response('{}') : new Response(REFUSAL, init)
    },
  })
  return server.port
}

const LISTEN = { elysia: listenElysia, canned: listenCanned, refusing: listenRefusing }

const kind = process.argv[2]
const port = LISTEN[kind === 'canned' || kind === 'refusing' ? kind : 'elysia']()
process.stdout.write(`listening on http://127.0.0.1:${port}\n`)
