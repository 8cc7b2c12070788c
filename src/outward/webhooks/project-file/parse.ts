import type { Wanted } from '../../../projects/project-file/model'
import { type Naming, objects } from '../../../projects/project-file/objects'
import {
  bool,
  checkedText,
  list,
  type Members,
  oneOf,
  type Read,
  type Spot,
  text,
} from '../../../projects/project-file/reader'
import { readSecret, type Sources, type WantedSecret } from '../../../projects/project-file/secret'
import { authorizationFault, filterFault, nameFault } from '../check'
import { DEFAULTS, ENVIRONMENTS, FORMATS, MAX_TYPES, MAX_URL_CHARACTERS, type WebhookEnvironment } from '../model'
import { tidied } from '../settings'
import type { WantedEndpoint } from './model'

export const parseEndpoints = (spot: Spot, sources: Sources): Wanted<WantedEndpoint>[] | undefined =>
  objects((members) => readEndpoint(members, sources), NAMING)(spot)

const checkName = (name: string): string | null => {
  const fault = nameFault(name)
  return fault === null ? null : `The name of a webhook endpoint ${fault}`
}

const NAMING: Naming = { check: checkName, read: checkedText(255, checkName) }

function readEndpoint(members: Members, sources: Sources): WantedEndpoint {
  const { name: _name, ...settings } = tidied({
    name: '',
    url: members.required('url', text(MAX_URL_CHARACTERS), ''),
    eventTypes: members.required('eventTypes', filters, []),
    environments: members.optional('environments', environments, DEFAULTS.environments),
    isOrdered: members.optional('ordered', bool, DEFAULTS.isOrdered),
    format: members.optional('format', oneOf(FORMATS), DEFAULTS.format),
    isEnabled: members.optional('isEnabled', bool, DEFAULTS.isEnabled),
  })
  const authorization = members.optional<WantedSecret | null>('authorization', readAuthorization(sources), null)
  return { settings, authorization }
}

const filled =
  <Value>(read: Read<Value[]>): Read<Value[]> =>
  (spot) => {
    const found = read(spot)
    const isEmpty = spot.node.kind === 'list' && spot.node.items.length === 0
    return isEmpty ? spot.fail('This must have at least one entry') : found
  }

const sentence = (fault: string | null): string | null => (fault === null ? null : `This ${fault}`)

const filters = filled(
  list(
    checkedText(64, (filter) => sentence(filterFault(filter))),
    MAX_TYPES,
  ),
)

const environments = filled<WebhookEnvironment>(list(oneOf(ENVIRONMENTS), ENVIRONMENTS.length))

const readAuthorization =
  (sources: Sources): Read<WantedSecret> =>
  (spot) => {
    const secret = readSecret(spot, sources)
    const complaint = secret && 'value' in secret ? sentence(authorizationFault(secret.value)) : null
    return complaint === null ? secret : spot.fail(complaint)
  }
