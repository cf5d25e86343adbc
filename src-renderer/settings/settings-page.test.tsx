// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NO_SENTENCE } from '../../src-main/context/templates-contract'
import { settingsSchema } from '../../src-main/settings/contract'
import { useNavigation } from '../app/navigation'
import '../i18n/i18n'
import { fakeStrata } from '../testing/fake-strata'
import { TipProvider } from '../ui/tooltip'
import { searchSettings } from './search-settings'
import { readHeaders } from './sections/header-lines'
import { readTokens } from './sections/model-form'
import { storedAs } from './sections/templates'
import { readShort } from './setting-row'
import { patchAt, SETTING_PATHS, valueAt } from './setting-specs'
import { SettingsPage } from './settings-page'
import { useSettings } from './settings-store'

const DEFAULTS = settingsSchema.parse({})
let strata: ReturnType<typeof fakeStrata>

function leaves(tree: object, path = ''): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    value !== null && typeof value === 'object' && Object.keys(value).length
      ? leaves(value, `${path}${key}.`)
      : [path + key],
  )
}

beforeEach(() => {
  strata = fakeStrata({
    'settings.update': () => ({ ...DEFAULTS, context: { ...DEFAULTS.context, historyLimit: 12 } }),
    'models.count-tokens': () => ({ tokens: 1, quality: 'estimated' }),
  })
  useSettings.setState({ settings: DEFAULTS, notices: [] })
  useNavigation.setState({ place: 'settings', placeTarget: 'context', listOpen: true })
})
afterEach(cleanup)

it('shows every preference the contract knows, but for the few with a place of their own', () => {
  const elsewhere = ['general.firstRunDone', 'general.shortcuts', 'context.templates']
  expect([...SETTING_PATHS, ...elsewhere].toSorted()).toEqual(leaves(DEFAULTS).toSorted())
})

it('reads and writes a value by its path', () => {
  expect(valueAt(DEFAULTS, 'context.landmarks.intervalMinutes')).toBe(30)
  expect(patchAt('context.landmarks.intervalMinutes', 5)).toEqual({ context: { landmarks: { intervalMinutes: 5 } } })
})

describe('the page', () => {
  const show = () =>
    render(
      <TipProvider>
        <SettingsPage />
      </TipProvider>,
    )

  it('stores a number when its field is left, and puts back what is none', async () => {
    show()
    const field = screen.getByLabelText('History limit')
    fireEvent.change(field, { target: { value: 'many' } })
    fireEvent.blur(field)
    expect(strata.inputsOf('settings.update')).toEqual([])
    expect((field as HTMLInputElement).value).toBe('30')
    fireEvent.change(field, { target: { value: '12' } })
    fireEvent.blur(field)
    await waitFor(() =>
      expect(strata.inputsOf('settings.update')).toEqual([{ patch: { context: { historyLimit: 12 } } }]),
    )
    await screen.findByRole('button', { name: 'Reset: History limit' })
  })

  it('finds settings by words of either language', () => {
    show()
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'landmark' } })
    expect(screen.getByText('Time landmarks')).toBeTruthy()
    expect(screen.queryByText('History limit')).toBeNull()
    expect(searchSettings('scan depth').map(({ section, paths }) => [section, paths])).toEqual([
      ['worldbook', ['worldbook.scanDepth']],
    ])
    expect(searchSettings('nothing like this')).toEqual([])
  })
})

describe('typed values', () => {
  it('are read within their range', () => {
    const spec = { kind: 'number', min: 0, max: 10 } as const
    expect(['3', '11', '2.5', 'x', ''].map((typed) => readShort(spec, typed))).toEqual([
      3,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(readShort({ kind: 'optional-number', min: -1, max: 1, step: 0.05 }, '')).toBeNull()
    expect(readShort({ kind: 'optional-number', min: -1, max: 1, step: 0.05 }, '0,4')).toBe(0.4)
  })

  it('may name tokens in thousands', () => {
    expect(['128k', '1M', '131,072', '', 'big', '0'].map(readTokens)).toEqual([
      128_000,
      1_000_000,
      131_072,
      null,
      undefined,
      undefined,
    ])
  })

  it('are headers line by line', () => {
    expect(readHeaders('X-One: 1\n\nX-Two: a: b ')).toEqual({ headers: { 'X-One': '1', 'X-Two': 'a: b' } })
    expect(readHeaders('X-One: 1\nno header')).toEqual({ badLine: 2 })
  })

  it('store the built-in sentence as nothing, and no sentence as a space', () => {
    expect([storedAs('Built in.', 'Built in.'), storedAs('  ', 'Built in.'), storedAs('Mine.', 'Built in.')]).toEqual([
      '',
      NO_SENTENCE,
      'Mine.',
    ])
  })
})
