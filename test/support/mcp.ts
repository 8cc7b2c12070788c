import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Stage } from './cast'
import type { Person } from './crew'

/** A personal access token of a person; without scopes it may do what its owner may. */
export async function tokenOf({ browser }: Person, more: object = {}): Promise<string> {
  const answer = await browser.post('/dashboard/me/tokens', { name: 'agent', ...more })
  return answer.body.data.token
}

/** The client of the protocol from npm, connected to a stage. What it was answered is in `bytes`. */
export async function mcpClient(s: Stage, token: string, query = ''): Promise<{ client: Client; bytes: string[] }> {
  const bytes: string[] = []
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost/mcp${query}`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (url, init) => {
      const response = await s.app.handle(new Request(String(url), init))
      bytes.push(await response.clone().text())
      return response
    },
  })
  const client = new Client({ name: 'test', version: '1' })
  // The declaration of the transport has an optional member where that of the client has undefined.
  await client.connect(transport as unknown as Parameters<Client['connect']>[0])
  return { client, bytes }
}

export interface Read {
  isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes.
  body: any
}

/** Calls a tool and reads its answer. */
export async function callTool(client: Client, name: string, given: Record<string, unknown> = {}): Promise<Read> {
  const answer = (await client.callTool({ name, arguments: given })) as {
    content: { text: string }[]
    isError?: boolean
  }
  return { isError: answer.isError === true, body: JSON.parse(answer.content[0]?.text ?? 'null') }
}
