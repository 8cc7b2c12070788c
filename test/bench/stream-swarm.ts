import { join } from 'node:path'
import type { Child } from './children'

type Process = Bun.Subprocess<'pipe', 'pipe', 'inherit'>

interface Member {
  child: Process
  lines: AsyncIterator<string>
}

/** Many streams in their own processes, so that reading them does not slow the server. */
export class Swarm {
  private constructor(private readonly members: readonly Member[]) {}

  static async start(server: Child, key: string, streams: number, processes: number): Promise<Swarm> {
    const each = streams / processes
    const members = Array.from({ length: processes }, (_, index): Member => {
      const script = join(import.meta.dir, 'stream-client.ts')
      const command = [process.execPath, script, server.url, key, String(index * each + 1), String(each)]
      const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
      return { child, lines: linesOf(child.stdout) }
    })
    return new Swarm(members)
  }

  /** Sends a command to all processes and returns their answers. */
  ask(word: string): Promise<Record<string, number>[]> {
    return Promise.all(
      this.members.map(async ({ child, lines }) => {
        child.stdin.write(`${word}\n`)
        child.stdin.flush()
        const { value } = await lines.next()
        return JSON.parse(value) as Record<string, number>
      }),
    )
  }

  /** Waits until all streams have a version; the epoch milliseconds at which the first and the last had it, or null. */
  async awaitVersion(
    version: number,
    streams: number,
    mostMs: number,
  ): Promise<{ first: number; last: number } | null> {
    const until = performance.now() + mostMs
    while (performance.now() < until) {
      const answers = await this.ask(`seen ${version}`)
      if (sum(answers, 'streams') >= streams) {
        const of = (name: string) => answers.map((answer) => answer[name] ?? 0)
        return { first: Math.min(...of('first')), last: Math.max(...of('last')) }
      }
      await Bun.sleep(100)
    }
    return null
  }

  async stop(): Promise<void> {
    for (const { child } of this.members) child.kill('SIGKILL')
    await Promise.all(this.members.map(({ child }) => child.exited))
  }
}

export const sum = (answers: readonly Record<string, number>[], name: string): number =>
  answers.reduce((total, answer) => total + (answer[name] ?? 0), 0)

async function* linesOf(stdout: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = ''
  for await (const part of stdout) {
    text += Buffer.from(part).toString()
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      yield text.slice(0, end)
      text = text.slice(end + 1)
    }
  }
}
