/** Why a requested export or erasure failed or has to wait. `words` is the text of an error. */
export const REQUEST_REASONS = {
  REQUEST_PERSON_ERASED: 'The data of this person was erased.',
  REQUEST_PERSON_UNKNOWN: 'There is nobody with this id any more.',
  REQUEST_PROJECT_DELETED: 'The project was deleted.',
  REQUEST_NO_PLACE: 'This deployment has no place for files.',
  REQUEST_PLACE_AWAY: 'The place where files are stored cannot be written at present.',
  REQUEST_REFUSED: 'It does not work at present: {words}',
  REQUEST_FAULT: 'It does not work at present; the log of the server says why.',
} as const
