import { SLACK_KEYS, slack } from '../../../../test/support/integrations/slack'
import { checkWith } from '../../../../test/support/integrations/stand-in'
import { testMapping } from '../mapping.fixtures'
import { SLACK } from './slack'
import cases from './slack.cases.json'

testMapping(SLACK, cases, SLACK_KEYS, checkWith(slack))
