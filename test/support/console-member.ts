import type { Role } from '../../src/projects/doors/roles'
import type { ConsoleStage } from './console'

/** Invites somebody into the project of a stage with a role, and signs them in; returns the cookie of their session. */
export async function memberOf(stage: ConsoleStage, role: Exclude<Role, 'OWNER'>): Promise<string> {
  const email = `${role.toLowerCase().replaceAll('_', '-')}@example.com`
  const password = 'correct horse battery'
  await stage.call('POST', `/dashboard/projects/${stage.projectId}/invitations`, { email, role })
  const token = await invitationToken(stage, email)
  const send = sender(stage.url)
  await send('/api/auth/sign-up', { email, password, name: role, invitationToken: token })
  const signedIn = await send('/api/auth/sign-in', { email, password })
  const cookie = /svc_session=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? ''
  await send(`/invitations/${token}/accept`, {}, cookie)
  return cookie
}

/** Without a mail server the link is kept in the outbox. */
async function invitationToken(stage: ConsoleStage, email: string): Promise<string> {
  for (;;) {
    const { items } = JSON.parse(await stage.svc('outbox', 'list', '--json')) as {
      items: { to: string; link: string | null }[]
    }
    const link = items.find(({ to }) => to === email)?.link
    if (link) return link.split('/').at(-1) ?? ''
    await Bun.sleep(100)
  }
}

const sender = (url: string) => (path: string, body: unknown, cookie?: string) =>
  fetch(url + path, {
    method: 'POST',
    headers: {
      origin: url,
      'content-type': 'application/json',
      ...(cookie && { cookie: `svc_session=${cookie}` }),
    },
    body: JSON.stringify(body),
  })
