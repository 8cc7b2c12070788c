import { DISCORD_KEYS, discord } from '../../../../test/support/integrations/discord'
import { checkWith } from '../../../../test/support/integrations/stand-in'
import { testMapping } from '../mapping.fixtures'
import { DISCORD } from './discord'
import cases from './discord.cases.json'

testMapping(DISCORD, cases, DISCORD_KEYS, checkWith(discord))
