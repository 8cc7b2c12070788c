import { slice } from '../../base/slice'
import { answerFromCache } from './response-cache'

export const doors = slice({ name: 'doors', earlyAnswers: answerFromCache })
