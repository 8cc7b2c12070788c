import { Elysia } from 'elysia'

// Runs in its own process. `bun yardstick-server.ts elysia` is the least that a route can cost. `... canned` answers
// all bytes with the same ones, and so shows the maximum of the load client.

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

const port = process.argv[2] === 'canned' ? listenCanned() : listenElysia()
process.stdout.write(`listening on http://127.0.0.1:${port}\n`)
