const MAX_NAME = 100

/** The end of a sentence about a name that is none. */
export const NAMES_AN_ATTRIBUTE = `must be the name of an attribute, of 1 to ${MAX_NAME} characters`

/** Whether a value can name the attribute by which a rollout or an experiment is drawn. */
export const isAttributeName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_NAME && !/\p{Cc}/u.test(value)
