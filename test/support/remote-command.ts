import type { Io } from '../../src/base/cli/command'
import { runCommandLine } from '../../src/cli/main'
import { PROGRAM } from '../../src/program'
import type { CastProject, Stage } from './cast'
import type { Ran } from './command'
import { TEST_KEY } from './context'
import { person } from './sessions'
import { type Staff, type StaffRole, staff, staffId } from './staff'

/** A request that a command made. */
export interface Heard {
  method: string
  path: string
  authorization: string | null
}

/** A stage whose application listens on a loopback port, with a personal access token for each role. */
export interface RemoteServer {
  url: string
  team: Staff
  heard: Heard[]
  tokenOf(role: StaffRole): string
  close(): Promise<void>
}

/** Lets the application of a stage listen. Members and tokens are in memory, and so is the list of their projects. */
export function listen(s: Stage): RemoteServer {
  const team = staff(s)
  const heard: Heard[] = []
  const tokenOf = (role: StaffRole): string => {
    const token = `svc_pat_${role.toLowerCase()}`
    team.sessions.tokens.set(token, {
      id: `pat_${role}`,
      user: person(staffId(role)),
      scopes: null,
      expiresAt: null,
      revokedAt: null,
    })
    return token
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const authorization = request.headers.get('authorization')
      heard.push({ method: request.method, path: pathname, authorization })
      if (pathname === '/dashboard/projects') return projectsOf(s, team, authorization)
      const body = request.method === 'GET' ? {} : { body: await request.text() }
      const inner = new Request(`http://localhost${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        ...body,
      })
      return s.app.handle(inner)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, team, heard, tokenOf, close: () => server.stop(true) }
}

async function projectsOf(s: Stage, team: Staff, authorization: string | null): Promise<Response> {
  const token = await team.sessions.findToken(authorization?.replace('Bearer ', '') ?? '')
  if (!token) return Response.json({ error: { code: 'UNAUTHORIZED', message: 'Sign in first' } }, { status: 401 })
  const items: object[] = []
  for (const [index, project] of [s.project, s.other].entries())
    if (await team.sessions.findRole(token.user.id, project.id)) items.push(viewOf(project, index + 1))
  return Response.json({ data: { items, nextCursor: null } })
}

const viewOf = ({ id }: CastProject, number: number) => ({ id, slug: `project-${number}`, name: `Project ${number}` })

interface Terminal {
  answer: boolean
  asked: string[]
  /** What is typed when a text is asked for. */
  typed?: string
}

interface Running {
  env: Record<string, string>
  terminal?: Terminal | undefined
}

/** Runs a command line with exactly this environment. */
export async function runWith(s: Stage, args: readonly string[], { env, terminal }: Running): Promise<Ran> {
  const [out, err, progress]: [string[], string[], string[]] = [[], [], []]
  const io: Io = {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    isTerminal: terminal !== undefined,
    env,
    clock: s.ctx.clock,
    confirm: async (question) => {
      terminal?.asked.push(question)
      return terminal?.answer ?? false
    },
    ...(terminal && {
      ask: async (question: string) => {
        terminal.asked.push(question)
        return terminal.typed ?? ''
      },
    }),
    progress: (line) => void (line !== null && progress.push(line)),
    program: PROGRAM,
    stopped: new Promise(() => {}),
  }
  const code = await runCommandLine(args, io)
  return { code, out: out.join('\n'), err: err.join('\n'), progress }
}

/** The environment of a machine that has the stage's database. */
export function machineEnv(s: Stage): Record<string, string> {
  const { database, dataDir, storeUrls } = s.ctx.config
  return {
    SVC_MASTER_KEY: TEST_KEY,
    SVC_DATA_DIR: dataDir,
    ...(storeUrls.payment === null ? {} : { SVC_PAYMENT_API_URL: storeUrls.payment }),
    ...(database.kind === 'postgres' ? { SVC_DATABASE_URL: database.url } : {}),
  }
}
