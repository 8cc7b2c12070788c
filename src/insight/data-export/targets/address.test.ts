import { expect, test } from 'bun:test'
import { isRegion, parseBucket } from '../../../base/lib/bucket-address'
import { destinationOf, folderBelow } from './address'

const buckets: [text: string, read: ReturnType<typeof parseBucket>][] = [
  ['s3://my-bucket', { bucket: 'my-bucket', prefix: '' }],
  ['s3://my-bucket/', { bucket: 'my-bucket', prefix: '' }],
  ['s3://my.bucket/a/b_c', { bucket: 'my.bucket', prefix: 'a/b_c' }],
  ['s3://my.bucket/a/b/', { bucket: 'my.bucket', prefix: 'a/b' }],
  ['s3://a', null],
  ['s3://My-Bucket', null],
  ['s3://my..bucket', null],
  ['s3://bucket/a//b', null],
  ['s3://bucket/./b', null],
  ['s3://bucket/../b', null],
  ['s3://bucket/a b', null],
  ['s3://bucket/a%2e', null],
  ['s3://bucket@host/a', null],
  ['s3://bucket:80/a', null],
  ['s3://bucket/a\nb', null],
  ['https://bucket/a', null],
  [`s3://bucket/${'a'.repeat(513)}`, null],
]
for (const [text, read] of buckets)
  test(`${JSON.stringify(text.slice(0, 40))} is ${read ? 'a bucket' : 'refused'}`, () =>
    expect(parseBucket(text)).toEqual(read))

test('a region is a word, never a host', () => {
  expect(['eu-central-1', 'auto', 'x.y', 'x/', '', 'EU'].map(isRegion)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

test('without an address the bucket is at Amazon, in its region', () => {
  expect(destinationOf('s3://bucket/a', null, null)).toMatchObject({ endpoint: 'https://s3.us-east-1.amazonaws.com' })
  const elsewhere = destinationOf('s3://bucket/a', 'https://minio.example', 'eu-central-1')
  expect(elsewhere).toMatchObject({ endpoint: 'https://minio.example', region: 'eu-central-1' })
  expect(destinationOf('/data/exports/x', null, null)).toEqual({ kind: 'folder', path: '/data/exports/x' })
})

const folders: [text: string, path: string | null][] = [
  ['nightly', '/data/exports/nightly'],
  ['a/b/', '/data/exports/a/b'],
  ['./a', '/data/exports/a'],
  ['a/../b', '/data/exports/b'],
  ['/data/exports/a', '/data/exports/a'],
  ['..', null],
  ['../exports', null],
  ['.', null],
  ['', null],
  ['/data', null],
  ['/data/exports', null],
  ['/data/exports-of-others/a', null],
  ['/data/exports/../svc.db', null],
  ['a\0b', null],
]
for (const [text, path] of folders)
  test(`the folder ${JSON.stringify(text)} of a schedule is ${path ?? 'refused'}`, () =>
    expect(folderBelow('/data', text)).toBe(path))
