import { describeError } from '../../base/lib/log'

/**
 * Why a provider could not be used, for the log: what differs, and what to change. It never contains a code, a token, a
 * nonce or the claims of a person.
 */
export function describeProviderFault(error: unknown): string {
  for (const link of causesOf(error)) {
    const sentence = sentenceOf(link)
    if (sentence !== null) return sentence
  }
  return describeError(error)
}

const MAX_CAUSES = 5

/** The error and what caused it, the innermost first: that one knows the values. */
function causesOf(error: unknown): unknown[] {
  const links: unknown[] = []
  for (let link = error; link instanceof Error && links.length < MAX_CAUSES; link = link.cause) links.unshift(link)
  return links
}

function sentenceOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const cause: unknown = error.cause
  if (cause instanceof Response) return statusSentence(cause)
  switch (textOf(error, 'code')) {
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return attributeSentence(cause)
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
      return claimSentence(cause)
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return `its token is not valid at this time (${textOf(cause, 'claim') ?? 'exp'}); set the clocks of both machines by NTP`
    case 'OAUTH_RESPONSE_BODY_ERROR':
    case 'OAUTH_AUTHORIZATION_RESPONSE_ERROR':
      return refusalSentence(error)
    default:
      return null
  }
}

const statusSentence = ({ status, url }: Response): string =>
  `it answered with status ${status} at ${URL.parse(url)?.pathname ?? 'its address'}; check the issuer and that the provider works`

function attributeSentence(cause: unknown): string | null {
  if (textOf(cause, 'attribute') !== 'issuer') return null
  const [theirs, ours] = [
    shortened(memberOf(memberOf(cause, 'body'), 'issuer')),
    shortened(memberOf(cause, 'expected')),
  ]
  return `its metadata name the issuer ${theirs} and the setting is ${ours}; set SVC_OAUTH_OIDC_ISSUER to what they name, to the letter`
}

/** Values of these claims are no secret and concern no person. */
const SHOWN_CLAIMS = ['iss', 'aud', 'azp']

function claimSentence(cause: unknown): string {
  const claim = textOf(cause, 'claim') ?? 'a claim'
  if (!SHOWN_CLAIMS.includes(claim)) return `the claim ${claim} of its token is not the expected one`
  const [theirs, ours] = [shortened(memberOf(memberOf(cause, 'claims'), claim)), shortened(memberOf(cause, 'expected'))]
  return `the claim ${claim} of its token is ${theirs}, expected was ${ours}`
}

function refusalSentence(error: Error): string {
  const [code, description] = [textOf(error, 'error') ?? 'an error', textOf(error, 'error_description')]
  return `it refused: ${shortened(code)}${description === null ? '' : ` (${shortened(description)})`}`
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

function textOf(value: unknown, name: string): string | null {
  const member = memberOf(value, name)
  return typeof member === 'string' ? member : null
}

const shortened = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, 200)
