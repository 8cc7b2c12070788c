import type { Page } from 'playwright-core'
import type { ConsoleStage } from './console'

const PASSWORD = 'correct horse battery'

/** Calls the server as a browser does, without a session or with one. */
export const postTo = (url: string, path: string, body: unknown, cookie = ''): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie },
    body: JSON.stringify(body),
  })

export const cookieOf = (answer: Response, name = 'svc_session'): string =>
  new RegExp(`${name}=([^;]+)`).exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? ''

/** Somebody who accepted an invitation to the project. The answer is the cookie of their session. */
export async function invite(stage: ConsoleStage, email: string, role: string, name: string): Promise<string> {
  await stage.call('POST', `/dashboard/projects/${stage.projectId}/invitations`, { email, role })
  const mails = JSON.stringify(JSON.parse(await stage.svc('outbox', '--json')))
  const token = new RegExp(`${email.replace('+', '\\+')}.*?/(?:join|invitations)/([\\w.-]+)`).exec(mails)?.[1] ?? ''
  await postTo(stage.url, '/api/auth/sign-up', { email, password: PASSWORD, name, invitationToken: token })
  const cookie = cookieOf(await postTo(stage.url, '/api/auth/sign-in', { email, password: PASSWORD }))
  const accepted = await postTo(stage.url, `/invitations/${token}/accept`, {}, `svc_session=${cookie}`)
  if (!accepted.ok) throw new Error(`the invitation was not accepted: ${await accepted.text()}`)
  return cookie
}

export const toastSaying = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor()
