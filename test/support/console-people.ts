import type { Page } from 'playwright-core'
import { type ConsoleStage, goTo, shoot, type Visit, violationsOf } from './console'

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

export interface Looked {
  path: string
  found: string[]
  excess: number
  heading: string
}

/** Opens each screen, keeps its picture, and says what axe found and by how many pixels it is too wide. */
export async function lookAt(visit: Visit, screens: Record<string, string>, suffix: string): Promise<Looked[]> {
  const looked: Looked[] = []
  for (const [name, path] of Object.entries(screens)) {
    const { page } = visit
    await page.setViewportSize({ width: page.viewportSize()?.width ?? 1280, height: 900 })
    await goTo(page, path)
    looked.push({
      path,
      found: await violationsOf(page),
      excess: Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')),
      heading: (await page.locator('h1').first().textContent()) ?? '',
    })
    await shoot(page, `${name}-${suffix}`)
  }
  return looked
}

export const toastSaying = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor()
