import type { Context } from '../../base/context'
import { MINUTE } from '../../base/lib/clock'
import { readCookie, type Visit, writeCookies } from '../accounts/cookies'
import { openCookie, signCookie } from '../accounts/sealed-cookie'
import type { Handover } from './model'

const PURPOSE = 'oauth handover'
const LIFE_MS = 10 * MINUTE

/** Keeps in the browser what the callback has to be compared with. */
export const keepHandover = (ctx: Context, visit: Visit, handover: Handover): void =>
  writeCookies(ctx, visit, { svc_oauth: { value: signCookie(ctx, PURPOSE, handover, LIFE_MS), lifeMs: LIFE_MS } })

/** Null for a browser that did not start a sign-in in the last ten minutes. */
export const readHandover = (ctx: Context, { request }: Visit): Handover | null =>
  openCookie<Handover>(ctx, PURPOSE, readCookie(ctx, request, 'svc_oauth'))

/** Only a page of the dashboard itself: an address of another host would lead a person away after the sign-in. */
export const pageOf = (text: string | null): string =>
  text !== null && text.length <= 2000 && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text) ? text : '/'
