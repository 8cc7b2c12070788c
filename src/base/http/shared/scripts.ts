/** A script that the cache runs as one step, so that two processes cannot both take what only one may have. */
export interface Script {
  text: string
  /** SHA-1 of the text, by which the cache knows the script after its first use. */
  sha: string
}

const script = (text: string): Script => ({ text, sha: new Bun.CryptoHasher('sha1').update(text).digest('hex') })

/**
 * An exact sliding window, as `SlidingWindow` has it in memory. KEYS: a sorted set of milliseconds; a hash of the
 * requests of each of them, and of all together under `n`. ARGV: now, the limit, the amount, the window. Returns the
 * requests in the window, the oldest millisecond in it, and 1 when the limit is exceeded; then nothing was counted.
 */
export const HIT = script(`
local now, limit, amount, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local count = tonumber(redis.call('HGET', KEYS[2], 'n') or '0')
for _, at in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - window)) do
  count = redis.call('HINCRBY', KEYS[2], 'n', -tonumber(redis.call('HGET', KEYS[2], at) or '0'))
  redis.call('HDEL', KEYS[2], at)
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local exceeded = 0
if count + amount > limit then
  exceeded = 1
else
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('HINCRBY', KEYS[2], ARGV[1], amount)
  count = redis.call('HINCRBY', KEYS[2], 'n', amount)
end
redis.call('PEXPIRE', KEYS[1], window + 1000)
redis.call('PEXPIRE', KEYS[2], window + 1000)
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0)[1] or ARGV[1]
return {count, tonumber(oldest), exceeded}
`)

/**
 * One of a bounded number of leases. KEYS: a sorted set of holders by the end of their lease. ARGV: the holder, now,
 * the end of the lease, the limit. Returns 1 when the holder has a lease now.
 */
export const TAKE_LEASE = script(`
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
local isHolder = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not isHolder and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3] - ARGV[2])
return 1
`)
