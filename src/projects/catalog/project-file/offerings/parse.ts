import { identifier, metadata, reference } from '../../../project-file/fields'
import type { Wanted } from '../../../project-file/model'
import { objects } from '../../../project-file/objects'
import { bool, integer, list, object, type Read } from '../../../project-file/reader'
import { placePackages, repeated } from '../../rules'
import { PRODUCTS } from '../products/model'
import type { OfferingState, PackageState } from './model'

// The plan checks the real limit and refuses with CONFLICT; this one only bounds the work.
const MANY = 5000

type NewPackage = Omit<PackageState, 'order'> & { order: number | null }

const slot: Read<NewPackage> = object((members) => ({
  identifier: members.required('identifier', identifier, ''),
  product: members.required('product', reference(PRODUCTS), ''),
  order: members.optional<number | null>('order', integer(-1_000_000, 1_000_000), null),
  isPromoted: members.optional('promoted', bool, false),
  metadata: members.optional('metadata', metadata, {}),
}))

const packages: Read<PackageState[]> = (spot) => {
  const found = list(slot, MANY)(spot)
  for (const name of repeated(found?.map((each) => each.identifier) ?? [])) spot.fail(`Two packages are called ${name}`)
  return found && placePackages(found)
}

export const parseOfferings: Read<Wanted<OfferingState>[]> = objects((members) => ({
  isDefault: members.optional('isDefault', bool, false),
  packages: members.optional('packages', packages, []),
  metadata: members.optional('metadata', metadata, {}),
}))
