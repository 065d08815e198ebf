import Type from 'typebox';
import { holdFields } from '../bookings/hold-schema.ts';
import { Text } from '../http/schemas.ts';

export const PortalHolds = Type.Object(
  { ...holdFields, serviceName: Text('Name of the service', 'Deep cleaning') },
  { title: 'PortalHold' },
);
