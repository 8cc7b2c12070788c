import { type Formed, form, may, must, type Naming, orNone } from '../../../projects/project-file/form'
import { sectionKey } from '../../../projects/project-file/model'
import { bool, checkedText, list, oneOf, text, type Written, writtenAs } from '../../../projects/project-file/reader'
import { secret } from '../../../projects/project-file/secret'
import type { SecretWord } from '../audit-entry'
import { authorizationFault, filterFault, nameFault } from '../check'
import type { NewAuthorization } from '../endpoints'
import { DEFAULTS, ENVIRONMENTS, FORMATS, MAX_TYPES, MAX_URL_CHARACTERS } from '../model'
import { tidied } from '../settings'

const sentence = (subject: string, fault: string | null): string | null => fault && `${subject} ${fault}`

const filter = checkedText(64, (value) => sentence('This', filterFault(value)))

const filled = <Value>(read: Written<Value[]>): Written<Value[]> =>
  writtenAs(
    (spot) => {
      const found = read(spot)
      const isEmpty = spot.node.kind === 'list' && spot.node.items.length === 0
      return isEmpty ? spot.fail('This must have at least one entry') : found
    },
    (values) => values,
  )

/** An endpoint. Its name is its key. */
export const ENDPOINT = form(
  {
    url: must(text(MAX_URL_CHARACTERS), ''),
    eventTypes: must(filled(list(filter, MAX_TYPES)), []),
    environments: may(filled(list(oneOf(ENVIRONMENTS), ENVIRONMENTS.length)), DEFAULTS.environments),
    ordered: may(bool, DEFAULTS.isOrdered),
    format: may(oneOf(FORMATS), DEFAULTS.format),
    authorization: orNone(secret((value) => sentence('This', authorizationFault(value)))),
    isEnabled: may(bool, DEFAULTS.isEnabled),
  },
  tidied,
)

export type WantedEndpoint = Formed<typeof ENDPOINT>

/** An endpoint as it is compared. A word takes the place of the `Authorization` value. */
export type EndpointState = Omit<WantedEndpoint, 'authorization'> & {
  authorization: SecretWord
  newAuthorization: NewAuthorization
}

export const WEBHOOK_ENDPOINTS = sectionKey<EndpointState, WantedEndpoint>('webhookEndpoints', 'webhookEndpoint')

const checkName = (name: string): string | null => sentence('The name of a webhook endpoint', nameFault(name))

export const NAMING: Naming = { check: checkName, read: checkedText(255, checkName) }
