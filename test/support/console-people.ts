import type { ConsoleStage } from './console'

const PASSWORD = 'correct horse battery'

/** Another member of the demo project with a role; the answer is the session of a browser. */
export async function memberOf(stage: ConsoleStage, email: string, role: string): Promise<string> {
  const made = JSON.parse(await stage.svc('user', 'create', '--email', email, '--owner-of', 'demo', '--json')) as {
    id: string
    passwordLink: string
  }
  const token = /([^/?=#]+)$/.exec(made.passwordLink)?.[1] ?? ''
  await post(stage.url, '/api/auth/password-reset/confirm', { token, password: PASSWORD })
  const signedIn = await post(stage.url, '/api/auth/sign-in', { email, password: PASSWORD })
  const cookie = /svc_session=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1]
  if (!cookie) throw new Error(`${email} cannot sign in: ${signedIn.status} ${made.passwordLink}`)
  if (role !== 'OWNER') await stage.call('PATCH', `/dashboard/projects/${stage.projectId}/members/${made.id}`, { role })
  return cookie
}

const post = (url: string, path: string, body: unknown): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  })
