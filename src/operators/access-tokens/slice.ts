import { slice } from '../../base/slice'
import { tokenExamination } from './doctor'
import { accessTokenRoutes } from './routes'

/** Tokens with which scripts act as the person who made them. */
export const accessTokens = slice({ name: 'access-tokens', accountRoutes: accessTokenRoutes, doctor: tokenExamination })
