import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mcpCommand } from '../../src/operators/mcp/command'
import { type Stage, stage } from '../support/cast'
import { runWithInput } from '../support/command'
import { join } from '../support/crew'
import { tokenOf } from '../support/mcp'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())

const CALL = (id: number, name: string, given: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } })

/** The answers of the command to some lines, by their ids. */
async function answered(lines: readonly string[], ...options: string[]) {
  const { code, out, err } = await runWithInput(s, mcpCommand, lines.join('\n'), ...options)
  return { code, err, replies: out === '' ? [] : out.split('\n').map((line) => JSON.parse(line)) }
}

describe('svc mcp', () => {
  test('answers each line of its input with one line, and ends with it', async () => {
    const lines = [
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } }),
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }),
      CALL(3, 'get_project'),
      '',
      'no JSON',
      '[1]',
    ]
    const { code, err, replies } = await answered(lines, '--project', s.project.id)
    expect([code, err]).toEqual([0, ''])
    expect(replies.map(({ id }) => id)).toEqual([1, 2, 3, null, null])
    expect(replies[0].result.protocolVersion).toBe('2025-06-18')
    expect(replies[1].result.tools.length).toBeGreaterThan(80)
    expect(JSON.parse(replies[2].result.content[0].text).data.id).toBe(s.project.id)
    expect(replies[4].error.code).toBe(-32700)
  })

  test('tells a refusal of a route as the answer of the tool', async () => {
    const { replies } = await answered([CALL(1, 'get_subscriber', { id: 'nobody' })], '--project', s.project.id)
    expect(replies[0].result.isError).toBe(true)
    expect(JSON.parse(replies[0].result.content[0].text).error.code).toBe('NOT_FOUND')
  })

  test('needs a project where there are several', async () => {
    const { code, err } = await answered([CALL(1, 'get_project')])
    expect([code, err]).toEqual([2, expect.stringContaining('--project')])
  })

  test('works with a token on a server, with the rights of its person', async () => {
    const ada = await join(s, 'ada', 'CUSTOMER_SUPPORT')
    const token = await tokenOf(ada)
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => s.app.handle(request) })
    const url = `http://127.0.0.1:${server.port}`
    const lines = [CALL(1, 'get_project'), CALL(2, 'execute_query', { sql: 'select 1' }), 'no JSON']
    const { code, replies } = await answered(lines, '--url', url, '--token', token)
    expect([code, replies.map(({ id }) => id)]).toEqual([0, [1, 2, null]])
    expect(JSON.parse(replies[0].result.content[0].text).data.id).toBe(s.project.id)
    expect(JSON.parse(replies[1].result.content[0].text).error.code).toBe('ROLE_REQUIRED')
    const unknown = await answered([CALL(1, 'get_project')], '--url', url, '--token', 'svc_pat_unknown')
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('does not accept the token')])
    await server.stop(true)
    const away = await answered([CALL(1, 'get_project')], '--url', url, '--token', token)
    expect([away.code, away.err]).toEqual([1, expect.stringContaining('cannot be reached')])
  })
})
