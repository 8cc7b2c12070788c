import type { ConsoleStage } from './console'

const PASSWORD = 'another correct horse'

/** A member of the project of a stage. */
export interface Member {
  userId: string
  /** The session, for `stage.open({ cookie })`. */
  cookie: string
  /** Calls the dashboard API as the member. */
  call: (method: string, path: string, body?: unknown) => Promise<{ status: number; code: string | null }>
}

type Role = 'CUSTOMER_SUPPORT' | 'GROWTH' | 'DEVELOPER' | 'ADMIN'

/** Makes an account, signs it in, and adds it to the project. */
export async function addMember(stage: ConsoleStage, email: string, role: Role): Promise<Member> {
  const made = JSON.parse(await stage.svc('user', 'create', '--email', email, '--json')) as {
    id: string
    passwordLink: string
  }
  const token = made.passwordLink.split('/').at(-1)?.split('=').at(-1)
  await post(stage.url, '/api/auth/password-reset/confirm', { token, password: PASSWORD })
  const signedIn = await post(stage.url, '/api/auth/sign-in', { email, password: PASSWORD })
  const cookie = /svc_session=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? ''
  await stage.svc('member', 'add', email, '--role', role, '--project', 'demo')
  return { userId: made.id, cookie, call: callerOf(stage.url, cookie) }
}

const post = (url: string, path: string, body: unknown): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  })

const callerOf =
  (url: string, cookie: string): Member['call'] =>
  async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        cookie: `svc_session=${cookie}`,
        origin: url,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { error } = (await answer.json().catch(() => ({}))) as { error?: { code: string } }
    return { status: answer.status, code: error?.code ?? null }
  }
