import { slice } from '../../base/slice'
import { tokenCommand } from './command'
import { tokenExamination } from './doctor'
import { accessTokenRoutes } from './routes'

/** Tokens with which scripts act for a person. */
export const accessTokens = slice({
  name: 'access-tokens',
  accountRoutes: accessTokenRoutes,
  commands: [tokenCommand],
  doctor: tokenExamination,
})
