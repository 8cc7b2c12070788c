import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { FunnelDocument, FunnelPage } from '../../core/funnel/model'
import type { Money, PackagePrice } from '../../core/funnel/render/money'
import type { AppWays } from '../../core/funnel/render/view'
import type { ErasedPerson } from '../../people/subscribers/hooks'
import type { ProjectState } from '../../projects/project/state'
import type { PresentedSession } from './presented'
import type { SessionRow } from './queries'

/** A package as a funnel sells it (funnels 3). */
export interface OfferedPrice extends PackagePrice {
  introPrice: Money | null
  taxIncluded: boolean | null
}

export type WalletState = 'ACTIVE' | 'INACTIVE'

export type Wallets = Readonly<Record<'applePay' | 'googlePay' | 'link' | 'paypal', WalletState>>

/** How a funnel is paid; null where payment is not possible. */
export interface OfferedPayment {
  provider: 'stripe' | 'test'
  publishableKey: string
  accountId: string | null
  apiVersion: string
  /** What the provider says of the own host; all inactive where it was not asked. */
  wallets: Wallets
}

export interface FunnelOffer {
  prices: readonly OfferedPrice[]
  payment: OfferedPayment | null
  chargesEnabled: boolean
}

/** What other slices know of a session. */
export interface SessionFacts {
  /** The latest payment as callers get it. */
  payment?: Record<string, unknown> | null
  hasClaimToken?: boolean
}

/** A page of a session that is being drawn. */
export interface DrawnPage extends PresentedSession {
  page: FunnelPage
  locale: string
  offer: FunnelOffer
  /** The members of the address. */
  query: URLSearchParams
  /** Of `script` and `style` elements. */
  nonce: string
  request: Request
}

/** What a slice draws on a page, below its form. */
export interface PagePart {
  html: string
  /** Whether it has the way on by itself, so that the page draws no button for it. */
  hidesNext?: boolean
  /** The button that Enter presses in a field of the page; absent = the one that leads on. */
  enter?: { name: string; value: string }
  /** What the blocks `store_buttons` and `qr` show. */
  ways?: AppWays
  /** The package that the visitor chose before. */
  chosenPackage?: string | null
  /** Sources that the page may use besides its own (funnels 9). */
  policy?: { script?: readonly string[]; frame?: readonly string[]; connect?: readonly string[] }
  /** The value of `Permissions-Policy`. */
  permissions?: string
}

/** A form that a visitor has sent from a page. */
export interface PostedPage extends PresentedSession {
  page: FunnelPage
  form: URLSearchParams
  request: Request
}

/** A visitor who comes by a placement. */
export interface PlacedVisitor {
  /** The identifier of the placement. */
  placement: string
  /** Null for one who was not here before. */
  visitor: string | null
  query: Readonly<Record<string, string>>
  country: string | null
  language: string | null
  /** The host that the visitor came from. */
  referrer: string | null
  /** The id of the session that may start. */
  sessionId: string
}

/** What a placement shows to a visitor: a funnel, perhaps as the variant of an experiment. */
export interface PlacedFunnel {
  slug: string
  /** The identifier of the placement. */
  placement: string
  /** Null where the visitor may not be remembered. */
  visitorId: string | null
  experimentId: string | null
  variantId: string | null
  /** Written with the session that starts. */
  record: (tx: Tx, session: SessionRow) => Promise<void>
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Null where the placement shows no funnel. */
    placedFunnel: (ctx: Context, project: ProjectState, visitor: PlacedVisitor) => Promise<PlacedFunnel | null>
    /** What a version of a funnel sells today. Makes nothing at the provider. */
    funnelOffer: (ctx: Context, projectId: string, document: FunnelDocument, asks: OfferAsks) => Promise<FunnelOffer>
    funnelSessionFacts: (handle: Handle & Pick<Context, 'clock'>, session: SessionRow) => Promise<SessionFacts>
    /** Null where the slice draws nothing on the page. */
    funnelPageParts: (ctx: Context, drawn: DrawnPage) => Promise<PagePart | null>
    /** The sessions of a person who is erased, by something else than their buyer. */
    funnelSessionsOf: (tx: Tx, projectId: string, person: ErasedPerson) => Promise<string[]>
    /** Deletes what a slice keeps of sessions that are deleted. Nothing was paid in them. */
    forgetFunnelSessions: (tx: Tx, sessionIds: readonly string[]) => Promise<void>
    /** Handles a form by itself: where the visitor goes then. Null where the form is an ordinary step. */
    funnelPagePosts: (ctx: Context, posted: PostedPage) => Promise<{ location: string } | null>
  }
}

/** What an offer needs besides the prices. */
export interface OfferAsks {
  /** The host that the wallets are shown on: null = that of this server, absent = they are not asked for. */
  walletsOn?: string | null
}

const NO_OFFER: FunnelOffer = { prices: [], payment: null, chargesEnabled: false }

export async function offerOf(
  ctx: Context,
  projectId: string,
  document: FunnelDocument,
  asks: OfferAsks = {},
): Promise<FunnelOffer> {
  const [offer] = ctx.hooks.funnelOffer ?? []
  return offer ? offer(ctx, projectId, document, asks) : NO_OFFER
}

export async function factsOfSession(
  handle: Handle & Pick<Context, 'hooks' | 'clock'>,
  session: SessionRow,
): Promise<Required<SessionFacts>> {
  const facts: Required<SessionFacts> = { payment: null, hasClaimToken: false }
  for (const read of handle.hooks.funnelSessionFacts ?? []) Object.assign(facts, await read(handle, session))
  return facts
}
