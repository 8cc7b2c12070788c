import type { Command, Io } from '../../src/base/cli/command'
import { runCommandLine } from '../../src/cli/main'
import { PROGRAM } from '../../src/program'
import type { Stage } from './cast'
import { TEST_KEY } from './context'

export interface Ran {
  code: number
  out: string
  err: string
  progress: string[]
}

/** Runs a command line over the stage's database, as another process would. */
export const runBeside = (s: Stage, command: Command, ...args: string[]): Promise<Ran> =>
  runWithInput(s, command, null, ...args)

/** The same with a text that is piped in; null = nothing is. */
export async function runWithInput(s: Stage, { name }: Command, input: string | null, ...args: string[]): Promise<Ran> {
  const { database, dataDir, ratesUrl, storeUrls, publicBaseUrl, cloud } = s.ctx.config
  const ran = { out: [] as string[], err: [] as string[], progress: [] as string[] }
  const io: Io = {
    out: (line) => void ran.out.push(line),
    err: (line) => void ran.err.push(line),
    isTerminal: false,
    env: {
      SVC_MASTER_KEY: TEST_KEY,
      SVC_DATA_DIR: dataDir,
      SVC_FX_URL: ratesUrl ?? 'off',
      ...(storeUrls.ios === null ? {} : { SVC_IOS_API_URL: storeUrls.ios }),
      ...(storeUrls.iosConnect === null ? {} : { SVC_IOS_CONNECT_API_URL: storeUrls.iosConnect }),
      ...(storeUrls.android === null ? {} : { SVC_ANDROID_API_URL: storeUrls.android }),
      ...(storeUrls.androidToken === null ? {} : { SVC_ANDROID_TOKEN_URL: storeUrls.androidToken }),
      ...(storeUrls.pubsub === null
        ? {}
        : { SVC_PUBSUB_API_URL: storeUrls.pubsub, PUBLIC_BASE_URL: publicBaseUrl ?? '' }),
      ...(storeUrls.payment === null ? {} : { SVC_PAYMENT_API_URL: storeUrls.payment }),
      ...(cloud ? { SVC_CLOUD: '1', SVC_BILLING_WEBHOOK_SECRET: cloud.webhookSecret ?? '' } : {}),
      ...(database.kind === 'postgres' ? { SVC_DATABASE_URL: database.url } : {}),
    },
    clock: s.ctx.clock,
    confirm: async () => false,
    ...(input !== null && { input: async () => input, lines: () => linesOf(input) }),
    progress: (line) => void (line !== null && ran.progress.push(line)),
    program: PROGRAM,
    stopped: new Promise(() => {}),
  }
  const code = await runCommandLine([name, ...args], io)
  return { code, out: ran.out.join('\n'), err: ran.err.join('\n'), progress: ran.progress }
}

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n')
}
