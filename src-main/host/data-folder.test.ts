import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataFolderPath } from './data-folder'

describe('dataFolderPath', () => {
  const linux = { env: {}, platform: 'linux', home: '/home/ann' } as const

  it('takes the option before the environment, and both before the usual place', () => {
    expect(dataFolderPath({ ...linux, given: 'here', env: { STRATA_DATA: '/there' } })).toBe(resolve('here'))
    expect(dataFolderPath({ ...linux, env: { STRATA_DATA: '/there' } })).toBe('/there')
    expect(dataFolderPath(linux)).toBe('/home/ann/.local/share/strata')
    expect(dataFolderPath({ ...linux, env: { XDG_DATA_HOME: '/data' } })).toBe('/data/strata')
  })

  it('follows each platform', () => {
    expect(dataFolderPath({ ...linux, platform: 'darwin' })).toBe('/home/ann/Library/Application Support/Strata')
    expect(dataFolderPath({ ...linux, platform: 'win32', env: { APPDATA: '/roaming' } })).toBe('/roaming/Strata')
  })
})
