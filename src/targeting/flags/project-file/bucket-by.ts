import { type Read, toJson } from '../../../projects/project-file/reader'
import { isAttributeName, NAMES_AN_ATTRIBUTE } from '../bucket-by'

/** Reads the name of an attribute. */
export const bucketBy: Read<string> = (spot) => {
  const name = toJson(spot.node)
  return isAttributeName(name) ? name : spot.fail(`This ${NAMES_AN_ATTRIBUTE}`)
}
