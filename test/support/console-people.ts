import type { Page } from 'playwright-core'
import { type ConsoleStage, excessOf, goTo, shoot, type Visit, violationsOf } from './console'

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

/** A phone, and a window of 1280 pixels in which everything is four times as large. */
const NARROW = [390, 320]

/** Opens each screen, keeps its picture, and says what axe found and by how many pixels it is too wide, there or when it is narrow. */
export async function lookAt(visit: Visit, screens: Record<string, string>, suffix: string): Promise<Looked[]> {
  const looked: Looked[] = []
  const { page } = visit
  const width = page.viewportSize()?.width ?? 1280
  for (const [name, path] of Object.entries(screens)) {
    await page.setViewportSize({ width, height: 900 })
    await goTo(page, path)
    const found = await violationsOf(page)
    const heading = (await page.locator('h1').first().textContent()) ?? ''
    let excess = await excessOf(page)
    await shoot(page, `${name}-${suffix}`)
    for (const narrow of NARROW) {
      await page.setViewportSize({ width: narrow, height: 900 })
      excess = Math.max(excess, await excessOf(page))
    }
    looked.push({ path, found, heading, excess })
  }
  await page.setViewportSize({ width, height: 900 })
  return looked
}

export const toastSaying = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor()
