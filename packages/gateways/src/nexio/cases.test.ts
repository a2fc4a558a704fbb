import { testCases } from '../cases/test-support.ts';
import { casesData } from './cases-data.ts';
import { createGateway } from './gateway.ts';
import { manifest } from './manifest.ts';

testCases({ manifest, createGateway }, casesData);
